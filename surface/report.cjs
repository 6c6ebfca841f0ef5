const { join, relative, sep } = require('node:path');
const ts = require('typescript');

const printer = ts.createPrinter({ removeComments: true });

/**
 * What a package exports, as its declarations say: every export, and every type of the package that one of them refers to. Private
 * members, comments and the files in which things are declared are left out.
 *
 * @param {string} dist the folder of the built package, with `public.d.ts`
 * @returns {{ exported: Map<string, string>, others: Map<string, string> }} declarations by their names, in alphabetical order
 */
function surfaceOf(dist) {
  const entry = join(dist, 'public.d.ts');
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${entry} is not there: run npm run build`);

  const original = (symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declarationsOf = (symbol) =>
    (symbol.declarations ?? []).filter((declaration) => {
      const path = relative(dist, declaration.getSourceFile().fileName);
      return !path.startsWith('..') && !path.includes(`node_modules${sep}`) && isTopLevel(declaration);
    });

  const exported = new Map();
  const seen = new Set();
  const waiting = [];
  for (const symbol of checker.getExportsOfModule(module)) {
    const target = original(symbol);
    seen.add(target);
    exported.set(symbol.name, textOf(declarationsOf(target)));
    waiting.push(target);
  }

  const others = new Map();
  for (let symbol = waiting.pop(); symbol; symbol = waiting.pop()) {
    for (const declaration of declarationsOf(symbol))
      visitNames(withoutPrivateMembers(declaration), declaration, (name) => {
        const found = checker.getSymbolAtLocation(name);
        const target = found && original(found);
        if (!target || seen.has(target)) return;
        seen.add(target);
        const declarations = declarationsOf(target);
        if (declarations.length === 0) return;
        others.set(freeName(others, target.name), textOf(declarations));
        waiting.push(target);
      });
  }
  return { exported: sorted(exported), others: sorted(others) };
}

const isTopLevel = (declaration) =>
  ts.isSourceFile(declaration.parent) || ts.isVariableDeclaration(declaration);

/** Calls back for each name in the original nodes of what is left of a declaration. */
function visitNames(members, declaration, visit) {
  const walk = (node) => {
    if (ts.isIdentifier(node)) visit(node);
    ts.forEachChild(node, walk);
  };
  if (members) {
    for (const clause of declaration.heritageClauses ?? []) walk(clause);
    for (const parameter of declaration.typeParameters ?? []) walk(parameter);
    for (const member of members) walk(member);
  } else walk(declaration);
}

const isPrivate = (member) =>
  (ts.canHaveModifiers(member) &&
    (ts.getModifiers(member) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)) ||
  (member.name !== undefined && ts.isPrivateIdentifier(member.name));

/** Undefined where there is nothing to leave out. */
const withoutPrivateMembers = (declaration) =>
  ts.isClassDeclaration(declaration) ? declaration.members.filter((member) => !isPrivate(member)) : undefined;

function textOf(declarations) {
  return declarations
    .map((declaration) =>
      printer.printNode(ts.EmitHint.Unspecified, shown(declaration), declaration.getSourceFile()),
    )
    .map((text) => text.replaceAll(/import\("[^"]+"\)\./g, '').replaceAll(/^export (?:declare )?/gm, ''))
    .sort()
    .join('\n');
}

function shown(declaration) {
  if (ts.isVariableDeclaration(declaration)) return declaration.parent.parent;
  const members = withoutPrivateMembers(declaration);
  if (!members) return declaration;
  return ts.factory.updateClassDeclaration(
    declaration,
    declaration.modifiers,
    declaration.name,
    declaration.typeParameters,
    declaration.heritageClauses,
    members,
  );
}

function freeName(taken, name) {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
  return free;
}

const sorted = (map) => new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)));

module.exports = { surfaceOf };
