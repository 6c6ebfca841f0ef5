import { type DomainError, invalidRequest } from '../errors/domain-error';
import { type JsonLimits, MAX_DEPTH, STRETCH, tooDeep, tooMany } from './json-limits';
import { endOfString, isBeforeColon } from './json-text';

/**
 * V8 caches 1536 transitions of a hidden class; further ones are created again each time. A batch of 1000 items with
 * different types is within the limit.
 */
const MAX_BRANCHES = 1_500;

/**
 * Rejects documents that would occupy `JSON.parse` for tens of milliseconds without a pause. It only counts
 * punctuation, so the text need not be JSON, and documents with up to twice the allowed number of values pass.
 */
export function* checkExtent(text: string, limits: JsonLimits): Generator<void, void> {
  const extent = new Extent(limits);
  let stretchEnd = STRETCH;
  for (let i = 0; i < text.length; i += 1) {
    if (i >= stretchEnd) {
      yield;
      stretchEnd = i + STRETCH;
    }
    switch (text.charAt(i)) {
      case ',':
        extent.comma();
        break;
      case '{':
      case '[':
        extent.open();
        break;
      case '}':
      case ']':
        extent.close();
        break;
      case '"': {
        const end = endOfString(text, i);
        if (isBeforeColon(text, end)) extent.name(text.slice(i, end));
        i = end - 1;
      }
    }
  }
}

/** An open object or list: its number of members, and the shape that results from its names so far. */
interface Container {
  members: number;
  shape: number;
}

/** The counts of a document so far. Each method throws if a limit is exceeded. */
class Extent {
  private readonly containers: Container[] = [];
  /** The numbers of shapes, by the number of the previous shape and the name added to it. */
  private readonly shapes = new Map<string, number>();
  /** The number of shapes that follow each shape, by its number; 0 is the empty object. */
  private readonly followers: number[] = [0];
  private values = 0;
  private commas = 0;
  private fields = 0;

  constructor(private readonly limits: JsonLimits) {}

  comma(): void {
    this.commas += 1;
    if (this.commas >= this.limits.values) throw tooMany(this.limits.values, 'values');
    const container = this.containers.at(-1);
    if (!container) return;
    container.members += 1;
    if (container.members > this.limits.members)
      throw tooMany(this.limits.members, 'members in one list or object');
  }

  open(): void {
    this.values += 1;
    if (this.values > this.limits.values) throw tooMany(this.limits.values, 'values');
    if (this.containers.length === MAX_DEPTH) throw tooDeep();
    this.containers.push({ members: 1, shape: 0 });
  }

  close(): void {
    this.containers.pop();
  }

  name(name: string): void {
    this.fields += 1;
    if (this.fields > this.limits.fields) throw tooMany(this.limits.fields, 'fields');
    const container = this.containers.at(-1);
    if (container) container.shape = this.shapeAfter(container.shape, name);
  }

  private shapeAfter(before: number, name: string): number {
    const step = `${before} ${name}`;
    const known = this.shapes.get(step);
    if (known !== undefined) return known;
    const shape = this.followers.push(0) - 1;
    this.shapes.set(step, shape);
    if (shape > this.limits.shapes) throw tooMany(this.limits.shapes, 'different sequences of field names');
    const siblings = (this.followers[before] ?? 0) + 1;
    this.followers[before] = siblings;
    if (siblings > MAX_BRANCHES) throw tooManyBranches();
    return shape;
  }
}

const tooManyBranches = (): DomainError =>
  invalidRequest(
    `the request body has objects that begin alike and continue with more than ${MAX_BRANCHES} different names: send fewer of them at once`,
  );
