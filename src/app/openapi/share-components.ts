import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations';

type Section = 'responses' | 'parameters';

/** A place in the document whose content may become a component with that name. */
interface Place {
  name: string;
  content: object;
  replace: (content: { $ref: string }) => void;
}

/**
 * Moves parameters, and failures without texts of their own, into the components, so that each is in the document once.
 */
export function shareComponents(document: OpenAPIObject): void {
  share(document, 'parameters', parameterPlaces(document));
  share(document, 'responses', responsePlaces(document));
}

/**
 * If several contents have the same name, the most frequent one becomes the component, provided that it occurs at least
 * twice; the others stay inline.
 */
function share(document: OpenAPIObject, section: Section, places: Place[]): void {
  const components = ((document.components ??= {})[section] ??= {}) as Record<string, object>;
  for (const name of [...new Set(places.map((place) => place.name))].sort()) {
    const most = mostFrequent(places.filter((place) => place.name === name));
    const [first, second] = most;
    if (!first || !second) continue;
    components[name] = first.content;
    for (const { replace } of most) replace({ $ref: `#/components/${section}/${name}` });
  }
}

/** The places with the most frequent content. */
function mostFrequent(places: Place[]): Place[] {
  const byContent = new Map<string, Place[]>();
  for (const place of places) {
    const content = JSON.stringify(place.content);
    byContent.set(content, [...(byContent.get(content) ?? []), place]);
  }
  return [...byContent.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
}

function parameterPlaces(document: OpenAPIObject): Place[] {
  return operationsOf(document).flatMap(({ parameters = [] }) =>
    parameters.flatMap((content, index) =>
      'name' in content
        ? [{ name: pascalCase(content.name), content, replace: (ref) => (parameters[index] = ref) }]
        : [],
    ),
  );
}

function responsePlaces(document: OpenAPIObject): Place[] {
  return operationsOf(document).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, content]) =>
      content && 'description' in content && STATUS_CODES[status] === content.description
        ? [
            {
              name: content.description.replaceAll(' ', ''),
              content,
              replace: (ref) => (responses[status] = ref),
            },
          ]
        : [],
    ),
  );
}

/** `relayer_id` becomes `RelayerId`, `Idempotency-Key` becomes `IdempotencyKey`. */
const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
