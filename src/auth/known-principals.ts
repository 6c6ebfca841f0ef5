import { Injectable } from '@nestjs/common';
import { type Principal, ROOT } from '../access/principal';
import { Principals } from '../access/principals';

/** The holder of `API_KEY`. */
@Injectable()
export class KnownPrincipals extends Principals {
  find(id: string): Principal | undefined {
    return id === ROOT.id ? ROOT : undefined;
  }
}
