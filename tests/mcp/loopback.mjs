// Loaded before a server of others: it listens on 127.0.0.1 only, and its port is sent to the process that started it.
import net from "node:net";

const { listen } = net.Server.prototype;

net.Server.prototype.listen = function (given, ...rest) {
  const port = Number(typeof given === "object" ? given.port : given);
  this.once("listening", () => process.send?.({ port: this.address().port }));
  // With a host `listen` looks it up first, and some servers ask for their address at once.
  const handle = net._createServerHandle("127.0.0.1", port, 4);
  return listen.call(this, typeof handle === "object" ? handle : { port, host: "127.0.0.1" }, ...rest.filter((one) => typeof one === "function"));
};
