import { installDocAgentRoutes } from "copydesk/service-worker";

installDocAgentRoutes(self);
