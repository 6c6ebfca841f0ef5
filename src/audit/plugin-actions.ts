/**
 * An action of a plugin, `<plugin>.<what>.<verb>`, for example `acme-ledger.entry.create`. The service's own actions
 * contain one dot, or begin with their origin.
 */
export type PluginAction = `${string}.${string}.${string}`;

/** The actions of the plugins in this process. Global, as their scopes and events are. */
const pluginActions = new Set<PluginAction>();

/** Must be called before the application is created. */
export function registerActions(actions: readonly PluginAction[]): void {
  for (const action of actions) pluginActions.add(action);
}

/** Whether a plugin in this process declares an action. */
export const isRegisteredAction = (action: PluginAction): boolean => pluginActions.has(action);
