import { Writer } from "./Writer";

export default function Page() {
  return <Writer />;
}
