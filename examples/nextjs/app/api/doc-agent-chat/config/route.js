import { route } from "../../../route-of-agent";

// The services are those of the running server, not those of the build.
export const dynamic = "force-dynamic";
export const { GET } = route;
