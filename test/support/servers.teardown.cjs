module.exports = async () => {
  await Promise.all(globalThis.privateServers.map((server) => server.destroy()));
};
