import { Writer } from "./writer";

export default function Page() {
  return <Writer />;
}
