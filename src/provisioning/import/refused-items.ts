import { invalidRequest } from '../../common/errors/domain-error';
import { isObject } from '../../common/validation/json-object';
import { networkId } from '../../networks/new-network';
import type { ConfigFile } from '../file/config-file';
import type { ConfiguredRelayerDto } from '../file/config-file.dto';
import type { NetworkPlan } from '../plan/provisioning-plan';

/** The sections whose items relayers name by their ids. */
type NamedSection = 'signers' | 'notifications';

/**
 * What an import has refused. The service may have a signer, notification or network with the same name but another
 * key, receiver or chain, so a relayer that names a refused one must not be created with what is stored.
 */
export class RefusedItems {
  private readonly ids = { signers: new Set<string>(), notifications: new Set<string>() };
  /** Sections with something refused whose id is unknown. */
  private readonly nameless = new Set<NamedSection>();
  private hasNetwork = false;

  /** @param item as in the folder; undefined for a whole section that is not a list */
  add(section: NamedSection | 'relayers', item: unknown): void {
    if (section === 'relayers') return;
    const id = isObject(item) ? item.id : undefined;
    if (typeof id === 'string') this.ids[section].add(id);
    else this.nameless.add(section);
  }

  /** Which network it is may be unknown, as for a file that cannot be read. */
  addNetwork(): void {
    this.hasNetwork = true;
  }

  /**
   * @param taken the items of the folder that were accepted
   * @throws DomainError `invalid_request` if a relayer names something that was refused, or may have been
   */
  assertNoneNamedBy(relayer: ConfiguredRelayerDto, taken: ConfigFile, { configured }: NetworkPlan): void {
    const { network, network_type: type, signer_id: signer, notification_id: notification } = relayer;
    if (this.hasNetwork && !configured.some(({ id }) => id === networkId(type, network)))
      throw notAccepted(`network ${network}`);
    this.assertAccepted('signers', signer, taken);
    if (notification !== null && notification !== undefined)
      this.assertAccepted('notifications', notification, taken);
  }

  private assertAccepted(section: NamedSection, id: string, taken: ConfigFile): void {
    const resource = section === 'signers' ? 'signer' : 'notification';
    if (this.ids[section].has(id))
      throw invalidRequest(`${resource}_id ${id}: this ${resource} of the folder was refused`);
    const known: { id: string }[] = taken[section];
    if (this.nameless.has(section) && !known.some((item) => item.id === id))
      throw notAccepted(`${resource}_id ${id}`);
  }
}

const notAccepted = (what: string) =>
  invalidRequest(`${what} is not among the accepted ones of the folder, of which some were refused`);
