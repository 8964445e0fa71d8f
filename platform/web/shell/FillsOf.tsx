import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import type { Role } from '../../contract/words/role.ts'
import { fillsOf, loadedOf, loadCode } from './load.ts'
import type { Fill, Load, Slot } from './module.ts'
import { connectedModules } from './modules.ts'

export interface FillsProps<Props> {
  of: Slot<Props>
  props: Props
  /** Shown until a fill is loaded. */
  fallback?: ReactNode
}

/** Renders what the modules put into a slot for a role; without one, for a visitor. */
export function FillsOf<Props extends object>({ role, of, props, fallback }: FillsProps<Props> & { role?: Role }) {
  return fillsOf(connectedModules(), of, role ?? null).map((fill) => (
    <LoadedComponent key={keyOf(fill)} load={fill.load} props={props} fallback={fallback} />
  ))
}

export const keyOf = ({ slot, order }: Fill): string => `${slot.name} ${order}`

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
