/**
 * The part of Go's template language that the chart in docker/helm uses, for machines without Helm: if, else, range,
 * with, define, variables, pipes and some functions. Anything else is an error.
 */
import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

interface Scope {
  dot: unknown;
  variables: Readonly<Record<string, unknown>>;
}

interface Block {
  /** `text`, `output`, `if`, `else`, `with`, `range` or `define`; the root is a `define` as well. */
  kind: string;
  /** The text, or the text after the keyword. */
  content: string;
  body: Block[];
  /** For `if`: the part that is rendered if its condition is false. */
  otherwise: Block[];
}

const ACTION = /\{\{(-)?\s*([^]*?)\s*(-)?\}\}/;
const TOKENS = /"(?:[^"\\]|\\.)*"|[()|]|[^\s()|]+/g;
const OPENING = new Set(['if', 'with', 'range', 'define']);

export class GoTemplates {
  private readonly definitions = new Map<string, Block[]>();

  /**
   * Renders a file. Files that are rendered later can include its definitions. @throws Error for anything that is not
   * supported
   */
  render(source: string, data: object): string {
    return this.write(parse(source), { dot: data, variables: { $: data } });
  }

  private write(blocks: readonly Block[], scope: Scope): string {
    return blocks.map((block) => this.writeOne(block, scope)).join('');
  }

  private writeOne({ kind, content, body, otherwise }: Block, scope: Scope): string {
    switch (kind) {
      case 'text':
        return content;
      case 'output':
        return textOf(this.evaluate(content, scope));
      case 'define':
        this.definitions.set(JSON.parse(content) as string, body);
        return '';
      case 'if':
        return this.write(isTrue(this.evaluate(content, scope)) ? body : otherwise, scope);
      case 'with': {
        const dot = this.evaluate(content, scope);
        return isTrue(dot) ? this.write(body, { ...scope, dot }) : '';
      }
      case 'range':
        return this.writeEach(content, body, scope);
      default:
        throw new Error(`Unknown action: ${kind}`);
    }
  }

  private writeEach(head: string, body: Block[], scope: Scope): string {
    const [, key, value, list = head] = /^\$(\w+),\s*\$(\w+)\s*:=\s*(.*)$/.exec(head) ?? [];
    const items = this.evaluate(list, scope) ?? [];
    // As in Go, the keys of a map are sorted.
    const entries = Array.isArray(items) ? [...items.entries()] : Object.entries(items).sort();
    return entries
      .map(([name, dot]) => {
        const named =
          key !== undefined && value !== undefined ? { [`$${key}`]: name, [`$${value}`]: dot } : {};
        return this.write(body, { dot, variables: { ...scope.variables, ...named } });
      })
      .join('');
  }

  private evaluate(expression: string, scope: Scope): unknown {
    const tokens = expression.match(TOKENS) ?? [];
    const pipeline = (): unknown => {
      let value = command([]);
      while (tokens[0] === '|') {
        tokens.shift();
        value = command([value]);
      }
      return value;
    };
    const operand = (): unknown => {
      const token = tokens.shift() ?? '';
      if (token !== '(') return this.read(token, scope);
      const value = pipeline();
      if (tokens.shift() !== ')') throw new Error(`A parenthesis is open in ${expression}`);
      return value;
    };
    const command = (piped: unknown[]): unknown => {
      const name = tokens[0] ?? '';
      if (!/^[a-z]\w*$/i.test(name) || name === 'true' || name === 'false') return operand();
      tokens.shift();
      const operands: unknown[] = [];
      while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')') operands.push(operand());
      return this.call(name, [...operands, ...piped]);
    };
    const value = pipeline();
    if (tokens.length > 0) throw new Error(`${tokens.join(' ')} is not understood in ${expression}`);
    return value;
  }

  private read(token: string, { dot, variables }: Scope): unknown {
    if (token.startsWith('"')) return JSON.parse(token);
    if (/^\d+$/.test(token)) return Number(token);
    if (token === 'true' || token === 'false') return token === 'true';
    const [first = '', ...path] = token.split('.');
    if (first !== '' && !(first in variables)) throw new Error(`${token} is not known here`);
    const start = first === '' ? dot : variables[first];
    return path
      .filter((name) => name !== '')
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], start);
  }

  private call(name: string, operands: unknown[]): unknown {
    if (name === 'include') {
      const [definition, dot] = operands as [string, object];
      const body = this.definitions.get(definition);
      if (!body) throw new Error(`${definition} is not defined`);
      return this.write(body, { dot, variables: { $: dot } });
    }
    const implementation = FUNCTIONS[name];
    if (!implementation) throw new Error(`The function ${name} is not known here`);
    return implementation(...(operands as never[]));
  }
}

const FUNCTIONS: Readonly<Record<string, (...operands: never[]) => unknown>> = {
  not: (value: unknown) => !isTrue(value),
  default: (fallback: unknown, value: unknown) => (isTrue(value) ? value : fallback),
  required: (message: string, value: unknown) => {
    if (value === undefined || value === null || value === '') throw new Error(message);
    return value;
  },
  quote: (value: unknown) => JSON.stringify(textOf(value)),
  printf: (format: string, ...values: unknown[]) => format.replace(/%s/g, () => textOf(values.shift())),
  toYaml: (value: unknown) => stringify(value, { lineWidth: 0 }).trimEnd(),
  toJson: (value: unknown) => JSON.stringify(value),
  nindent: (spaces: number, text: string) => `\n${text}`.replace(/\n(?=[^\n])/g, `\n${' '.repeat(spaces)}`),
  sha256sum: (text: string) => createHash('sha256').update(text).digest('hex'),
};

/** Go's empty values are false: 0, "", nil, and lists and maps without members. */
function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return value.toString();
  throw new Error('A list or map is written as text');
}

function parse(source: string): Block[] {
  const root = block('define', '""');
  const open: Block[] = [root];
  /** The block to which the following content belongs: after an `else`, it is the other part of its `if`. */
  const bodies: Block[][] = [root.body];
  const add = (added: Block): void => void bodies.at(-1)?.push(added);
  let rest = source;
  for (let found = ACTION.exec(rest); found; found = ACTION.exec(rest)) {
    const [all, trimBefore, action = '', trimAfter] = found;
    const before = rest.slice(0, found.index);
    add(block('text', trimBefore ? before.trimEnd() : before));
    rest = rest.slice(found.index + all.length);
    if (trimAfter) rest = rest.trimStart();
    const [, word = '', content = ''] = /^(\S+)\s*([^]*)$/.exec(action) ?? [];
    if (action.startsWith('/*')) continue;
    if (OPENING.has(word)) {
      const opened = block(word, content);
      add(opened);
      open.push(opened);
      bodies.push(opened.body);
    } else if (word === 'else') {
      bodies.pop();
      bodies.push(open.at(-1)?.otherwise ?? []);
      if (content.startsWith('if ')) {
        // A single `end` ends the whole chain, so the nested condition takes the place of the outer one.
        const nested = block('if', content.slice('if '.length));
        add(nested);
        open[open.length - 1] = nested;
        bodies[bodies.length - 1] = nested.body;
      }
    } else if (word === 'end') {
      open.pop();
      bodies.pop();
    } else add(block('output', action));
  }
  if (open.length !== 1) throw new Error('The actions and their ends do not match');
  add(block('text', rest));
  return root.body;
}

const block = (kind: string, content: string): Block => ({ kind, content, body: [], otherwise: [] });
