import { useQueries } from '@tanstack/react-query'
import { useMe } from '../session/me.ts'
import { haveReplied } from '../ui/have-replied.ts'
import { FillsOf, type FillsProps, keyOf, LoadedComponent } from './FillsOf.tsx'
import { fillsOf, loadedOf } from './load.ts'
import type { AnyQuery, Fill, Slot } from './module.ts'
import { connectedModules } from './modules.ts'

export const useFills = (of: Slot<unknown>): readonly Fill[] => fillsOf(connectedModules(), of, useMe().role)

/** Renders what the modules put into a slot. */
export const Fills = <Props extends object>(props: FillsProps<Props>) => <FillsOf role={useMe().role} {...props} />

/**
 * Makes the first calls of a slot's fills and returns the function that renders the fills below each other. Each waits
 * for the first replies of those before it, because a section that grows would move the following ones under a click.
 */
export function useSections<Props extends object, Known extends object>(of: Slot<Props, Known>, known: Known | null) {
  const fills = useFills(of).map((fill) => ({ fill, queries: known === null ? [] : queriesOf(fill, known) }))
  const replies = useQueries({ queries: fills.flatMap(({ queries }) => queries) })
  const ends = fills.map((_, index) => fills.slice(0, index + 1).flatMap(({ queries }) => queries).length)
  const waiting = ends.findIndex((end) => !haveReplied(...replies.slice(0, end)))
  const shown = fills.slice(0, waiting === -1 ? undefined : waiting + 1)
  return (props: Props) => shown.map(({ fill }) => <LoadedComponent key={keyOf(fill)} load={fill.load} props={props} />)
}

const queriesOf = ({ load }: Fill, known: object): readonly AnyQuery[] =>
  loadedOf(load)?.default.queriesOf?.(known as never) ?? []
