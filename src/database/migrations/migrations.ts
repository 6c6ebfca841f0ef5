import { CreateSigners1795000000000 } from './1795000000000-create-signers';
import { CreateNotifications1795000001000 } from './1795000001000-create-notifications';
import { AddSignerIdentity1795000003000 } from './1795000003000-add-signer-identity';
import { CreateRelayers1795000002000 } from './1795000002000-create-relayers';

/** All migrations, oldest first. A new one is added at the end. */
export const MIGRATIONS = [
  CreateSigners1795000000000,
  CreateNotifications1795000001000,
  CreateRelayers1795000002000,
  AddSignerIdentity1795000003000,
];
