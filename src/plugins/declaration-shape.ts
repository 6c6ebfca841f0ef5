import type { RelayerPluginOptions } from './relayer-plugin.decorator';

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string';
const isClass: Check = (value) => typeof value === 'function';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const hasMembers =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    Object.entries(members).every(([name, check]) => check((value as Record<string, unknown>)[name]));

/** The lists that a plugin can declare, with what their items are. */
const LISTS: Readonly<
  Record<Exclude<keyof RelayerPluginOptions, 'name' | 'compatibility'>, [item: string, check: Check]>
> = {
  entities: ['a class', isClass],
  migrations: ['a class', isClass],
  sealedColumns: [
    'an object with the strings table and column',
    hasMembers({ table: isString, column: isString }),
  ],
  scopes: ['a string', isString],
  events: ['a string', isString],
  actions: ['a string', isString],
  overrides: [
    'an object with the classes port and useClass',
    hasMembers({ port: isClass, useClass: isClass }),
  ],
};

const MEMBERS: readonly string[] = ['name', 'compatibility', ...Object.keys(LISTS)];

/**
 * Faults of a declaration that the compiler would find, in a plugin that is written in JavaScript or declares a class
 * that a circular import has left undefined.
 */
export function shapeFaults(declaration: unknown): string[] {
  if (!isObject(declaration)) return ['The declaration of a plugin must be an object'];
  const members = declaration as Record<string, unknown>;
  const { name } = members;
  if (typeof name !== 'string') return ['The declaration of a plugin must have a name, which is a string'];
  const unknown = Object.keys(members).filter((member) => !MEMBERS.includes(member));
  const faults = [
    ...unknown.map((member) => `declares ${member}, which is none of ${MEMBERS.join(', ')}`),
    ...Object.entries(LISTS).flatMap(([member, [item, check]]) => {
      const list = members[member];
      if (list === undefined) return [];
      if (!Array.isArray(list)) return [`must declare ${member} as a list`];
      return list.flatMap((value, i) =>
        check(value) ? [] : [`has an item in ${member}, number ${i + 1}, that is not ${item}`],
      );
    }),
  ];
  return faults.map((fault) => `The plugin ${name} ${fault}`);
}
