import type { Role } from '../../contract/words/role.ts'
import type { Api } from '../api/client.ts'
import { type Choice, selectionOf } from '../navigation/selection.ts'
import type { Session } from '../session/session.ts'
import type { Fill, Load, Loaded, OpenScreen, Screen, Slot, WebModule } from './module.ts'

const loaded = new Map<Load<never>, Loaded<never>>()

/** Returns the code of a component of a module, or undefined if it has not been loaded yet. */
export const loadedOf = (load: Load<never>): Loaded<never> | undefined => loaded.get(load)

export async function loadCode(load: Load<never>): Promise<Loaded<never>> {
  const code = await load()
  loaded.set(load, code)
  return code
}

/** Returns the fills of a slot that a user of the role, or a visitor without one, sees, in display order. */
export const fillsOf = (modules: readonly WebModule[], of: Slot<unknown>, role: Role | null): readonly Fill[] =>
  modules
    .flatMap(({ fills = [] }) => fills.filter((fill) => fill.slot === of && fill.for?.includes(role!) !== false))
    .toSorted((a, b) => a.order - b.order)

/** Loads the code that is shown together with slots. */
export const loadSlots = (modules: readonly WebModule[], slots: readonly Slot<unknown>[], role: Role | null) =>
  Promise.all(
    slots.flatMap((slot) =>
      fillsOf(modules, slot, role).flatMap(({ lazy, load }) => (lazy === true ? [] : [loadCode(load)])),
    ),
  )

/** Loads a screen with the fills that appear with it. */
export async function loadScreen(
  modules: readonly WebModule[],
  { load, slots = [] }: Screen | OpenScreen,
  role: Role | null,
) {
  const [screen] = await Promise.all([load(), loadSlots(modules, slots, role)])
  return screen
}

/**
 * Makes the first call of a screen of the user's role, if its reply is not in the cache. Does not wait for it: the
 * screen shows what has arrived, and its own query reports a failure.
 */
export function fetchFirst(api: Api, { for: roles, fetch }: Screen, session: Session, choice: Choice): void {
  const { trainingQuery } = selectionOf(session, choice)
  if (trainingQuery !== null && roles.includes(session.role)) fetch?.(api, trainingQuery).catch(() => undefined)
}
