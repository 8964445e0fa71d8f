import type { ReactNode } from 'react'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { Api } from '#src/api/client.ts'
import type { OfTraining } from './selection.ts'

/** The sidebar's groups, in their order; the entries of 'Start' come first, without a heading. */
export const MENU_GROUPS = ['Start', 'Instance Overview', 'Sandboxes', 'Ledger', 'Administration'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export interface ScreenRow {
  readonly path: `/${string}`
  /** The heading and the document's title: the name that the route table gives it. */
  readonly title: string
  readonly roles: readonly Role[]
  /**
   * Its place in the sidebar; null: opened by a link or its address only. `roles`: the roles that find it there, where
   * these are fewer than may open it.
   */
  readonly menu: { readonly group: MenuGroup; readonly label: string; readonly roles?: readonly Role[] } | null
  /** The screen's own chunk; its default export is the component. */
  readonly load: () => Promise<{ default: () => ReactNode }>
  /** Makes the screen's first call about the chosen training while the application is still on its way. */
  readonly prefetch?: (api: Api, of: OfTraining) => Promise<unknown>
}
