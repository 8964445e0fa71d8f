import { useQueries } from '@tanstack/react-query'
import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { useMe } from '#src/session/me.ts'
import { haveReplied } from '#src/ui/have-replied.ts'
import { fillsOf, loadedOf, loadCode } from './load.ts'
import type { AnyQuery, Fill, Load, Slot } from './module.ts'
import { useModules } from './modules.ts'

interface FillsProps<Props> {
  of: Slot<Props>
  props: Props
  /** Shown in place of a fill that is not loaded yet. */
  fallback?: ReactNode
}

export const useFills = (of: Slot<unknown>): readonly Fill[] => fillsOf(useModules(), of, useMe().role)

/** Renders what the modules put into a slot. */
export function Fills<Props extends object>({ of, props, fallback }: FillsProps<Props>) {
  return useFills(of).map((fill) => (
    <LoadedComponent key={keyOf(fill)} load={fill.load} props={props} fallback={fallback} />
  ))
}

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

const keyOf = ({ slot, order }: Fill): string => `${slot.name} ${order}`

const queriesOf = ({ load }: Fill, known: object): readonly AnyQuery[] =>
  loadedOf(load)?.default.queriesOf?.(known as never) ?? []

const components = new Map<Load<never>, ComponentType>()

/** Returns the same component in each render, so that it keeps its state. */
function componentOf(load: Load<never>): ComponentType {
  const component =
    components.get(load) ??
    (loadedOf(load)?.default as ComponentType | undefined) ??
    lazy(() => loadCode(load) as Promise<{ default: ComponentType }>)
  components.set(load, component)
  return component
}

interface LoadedComponentProps {
  load: Load<never>
  props?: object
  fallback?: ReactNode
}

/** Renders a component of a module: at once if its code was loaded before. */
export const LoadedComponent = ({ load, props, fallback }: LoadedComponentProps) => (
  <Suspense fallback={fallback}>{createElement(componentOf(load), props)}</Suspense>
)
