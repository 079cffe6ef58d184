import { route } from "../../route-of-agent";

export const { POST, DELETE, OPTIONS } = route;
