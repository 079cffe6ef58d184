// Loaded before a server of others: it listens on 127.0.0.1 only, and its port is sent to the process that started it.
import { Server } from "node:net";

const { listen } = Server.prototype;

Server.prototype.listen = function (port, ...rest) {
  this.once("listening", () => process.send?.({ port: this.address().port }));
  if (typeof port === "object") return listen.call(this, { ...port, host: "127.0.0.1" }, ...rest);
  if (typeof rest[0] === "string") rest.shift();
  return listen.call(this, port, "127.0.0.1", ...rest);
};
