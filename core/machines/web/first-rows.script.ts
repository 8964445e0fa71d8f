import type { Machine } from '../contract/machine.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { requestEarly } from '@trainyard/platform/web/api/early.ts'
import { readSearch, writeSearch } from '@trainyard/platform/web/navigation/search.ts'
import { selectionOf, type TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { learnerOf } from './machine-list.ts'
import { readSession, type Session } from '@trainyard/platform/web/session/session.ts'
import { filterMachines, parseView, sortMachines } from './view.ts'
import { viewModeFor } from './view-mode.ts'

declare const FIRST_CALLS: { readonly me: string; readonly machines: string }

/** Roles that may open the console. */
const ROLES: readonly Role[] = ['user', 'admin', 'superadmin']
/** Maximum number of rows, which fill a screen. */
const ROWS_MAX = 24

/**
 * Runs inline in the application's page. Requests the machines of the console's training and shows their names and
 * states while the application loads, which then replaces them and uses the same replies.
 */
async function showFirstRows({ uid }: Session, query: TrainingQuery): Promise<void> {
  const machines = requestEarly(FIRST_CALLS.machines + writeSearch(query), uid)
  // The application reports failures.
  requestEarly(FIRST_CALLS.me, uid).catch(() => undefined)
  const reply = await machines
  if (!reply.ok) return
  const alive = ((await reply.clone().json()) as readonly Machine[]).filter(({ isAlive }) => isAlive)
  const view = parseView(readSearch(location.search))
  const found = filterMachines(alive, view)
  const mode = viewModeFor(alive.length)
  const list = document.createElement('ul')
  list.className = `frame-${mode}`
  const visibleMachines = mode === 'table' ? sortMachines(found, view.sort) : found
  list.append(...visibleMachines.slice(0, ROWS_MAX).map(rowOf))
  document.querySelector('.frame-main')?.append(list)
}

function rowOf(machine: Machine): HTMLLIElement {
  const row = document.createElement('li')
  row.append(
    ...[machine.name, machine.status, learnerOf(machine)].map((text) => {
      const part = document.createElement('span')
      part.textContent = text
      return part
    }),
  )
  return row
}

const session = readSession()
if (session !== null && ROLES.includes(session.role) && location.pathname === '/vm/vmdetails') {
  const { trainingQuery } = selectionOf(session, readSearch(location.search))
  if (trainingQuery !== null) showFirstRows(session, trainingQuery).catch(() => undefined)
}
