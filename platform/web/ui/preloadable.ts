import { type ComponentType, lazy } from 'react'

/** Returns a lazily loaded component. Call `load` to fetch the code before the component is rendered. */
export const preloadable = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  Object.assign(lazy(load), { load })
