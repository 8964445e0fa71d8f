import { type Service, screensOf, type Screen, type WebModule } from './module.ts'

let connected: readonly WebModule[] = []

/** Connects the modules of this page, before it renders. */
export const connectModules = (modules: readonly WebModule[]): void => void (connected = modules)

export const connectedModules = (): readonly WebModule[] => connected

export const connectedScreens = (): readonly Screen[] => screensOf(connected)

/** Returns what a module provides; null if no module does. */
export const provided = <Value>(to: Service<Value>): Value | null =>
  (connected.flatMap(({ provides = [] }) => provides).find((each) => each.to === to)?.value as Value | undefined) ??
  null
