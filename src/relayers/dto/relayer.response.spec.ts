import type { RelayerEntity } from '../relayer.entity';
import { toRelayerResponse } from './relayer.response';

function relayer(fields: Partial<RelayerEntity> = {}): RelayerEntity {
  return {
    id: 'treasury',
    name: 'Treasury',
    network: 'sepolia',
    networkType: 'evm',
    address: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
    chainId: '11155111',
    signerId: 'cow',
    group: null,
    notificationId: null,
    paused: false,
    systemDisabled: false,
    disabledReason: null,
    customRpcUrls: 'v1.0123456789ab.AAAA',
    policies: {},
    nextCheckAt: null,
    failedChecks: 0,
    lowBalance: false,
    revision: null,
    mac: 'm1.0123456789ab.AAAA',
    createdAt: new Date(0),
    ...fields,
  };
}

describe('toRelayerResponse', () => {
  it('omits unset fields and internal fields', () => {
    expect(toRelayerResponse(relayer(), undefined)).toStrictEqual({
      id: 'treasury',
      name: 'Treasury',
      network: 'sepolia',
      network_type: 'evm',
      address: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
      signer_id: 'cow',
      paused: false,
      system_disabled: false,
    });
  });

  it('includes the fields that are set, and masks URLs', () => {
    const response = toRelayerResponse(
      relayer({
        notificationId: 'ops',
        paused: true,
        systemDisabled: true,
        disabledReason: { type: 'NonceSyncFailed', details: 'Nonce synchronization failed' },
        policies: { min_balance: '9007199254740992' },
      }),
      [
        { url: 'https://rpc.example.com/v2/k3y', weight: 0 },
        { url: 'https://user:k3y@rpc.example.com', weight: 100 },
      ],
    );
    expect(response).toMatchObject({
      notification_id: 'ops',
      paused: true,
      system_disabled: true,
      disabled_reason: { type: 'NonceSyncFailed', details: 'Nonce synchronization failed' },
      custom_rpc_urls: [
        { url: 'https://rpc.example.com/***', weight: 0 },
        { url: 'https://rpc.example.com', weight: 100 },
      ],
      policies: { min_balance: '9007199254740992' },
    });
    expect(JSON.stringify(response)).not.toContain('k3y');
  });

  it('includes an empty list of custom RPC URLs', () => {
    expect(toRelayerResponse(relayer(), []).custom_rpc_urls).toEqual([]);
  });
});
