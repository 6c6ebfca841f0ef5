import { toNewNetwork } from '../../networks/new-network';
import { emptyConfigFile } from '../file/config-file';
import type { ConfiguredRelayerDto } from '../file/config-file.dto';
import { RefusedItems } from './refused-items';

const RELAYER: ConfiguredRelayerDto = {
  id: 'treasury',
  name: 'Treasury',
  network: 'sepolia',
  network_type: 'evm',
  paused: false,
  signer_id: 'cow',
  notification_id: 'ops',
};
const SIGNER = { id: 'cow', type: 'local', config: {} };
const REST = 'is not among the accepted ones of the folder, of which some were refused';

describe('RefusedItems', () => {
  let refused: RefusedItems;

  beforeEach(() => {
    refused = new RefusedItems();
  });

  const check = (accepted: { signers?: (typeof SIGNER)[]; networks?: string[] } = {}) => {
    const configured = (accepted.networks ?? []).map((name) => toNewNetwork('evm', name, { chain_id: 1 }));
    refused.assertNoneNamedBy(
      RELAYER,
      { ...emptyConfigFile(), signers: accepted.signers ?? [] },
      { configured, create: [], complete: [], seeds: [] },
    );
    return 'accepted';
  };
  const detailOf = (accepted?: Parameters<typeof check>[0]): unknown => {
    try {
      return check(accepted);
    } catch (error) {
      return (error as { detail?: unknown }).detail;
    }
  };

  it('accept relayers that name something else', () => {
    refused.add('signers', { id: 'other' });
    refused.add('notifications', { id: 'cow' });
    refused.add('relayers', RELAYER);
    expect(detailOf()).toBe('accepted');
  });

  it('are found by their ids, even if these were accepted before', () => {
    refused.add('notifications', { id: 'ops' });
    expect(detailOf()).toBe('notification_id ops: this notification of the folder was refused');
    refused.add('signers', { id: 'cow' });
    expect(detailOf({ signers: [SIGNER] })).toBe('signer_id cow: this signer of the folder was refused');
  });

  it.each([undefined, null, { id: 7 }, []])('may be any that is not accepted if they are %j', (item) => {
    refused.add('signers', item);
    expect(detailOf()).toBe(`signer_id cow ${REST}`);
    expect(detailOf({ signers: [SIGNER] })).toBe('accepted');
  });

  it('may be any network that is not accepted', () => {
    refused.addNetwork();
    expect(detailOf({ networks: ['mainnet'] })).toBe(`network sepolia ${REST}`);
    expect(detailOf({ networks: ['mainnet', 'sepolia'] })).toBe('accepted');
  });
});
