/** Makes events over HTTP: each gives a relayer a name of its own, which the event tells. */
const { setTimeout: sleep } = require('node:timers/promises');

const CALLERS = 16;
const REST_MS = 20;

class Changes {
  constructor(fleet, relayers) {
    this.fleet = fleet;
    this.relayers = relayers;
    /** Names that were acknowledged. */
    this.acknowledged = new Set();
    this.sent = 0;
  }

  /** Makes more, until so many are acknowledged in all. What is answered by an error, or not at all, does not count. */
  async make(count) {
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (this.acknowledged.size < count) await this.one();
      }),
    );
  }

  async one() {
    const number = this.sent;
    this.sent += 1;
    const name = `change ${number}`;
    const index = number % this.fleet.instances.length;
    const id = this.relayers[number % this.relayers.length];
    try {
      const status = await this.fleet.call(index, 'PATCH', `/api/v1/relayers/${id}`, { name });
      if (status === 200) this.acknowledged.add(name);
      else await sleep(REST_MS);
    } catch {
      await sleep(REST_MS);
    }
  }
}

module.exports = { Changes };
