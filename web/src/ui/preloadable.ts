import { type ComponentType, lazy } from 'react'

/** Returns a lazily loaded component. Its `load` fetches the code in advance, when its use becomes likely. */
export const preloadable = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  Object.assign(lazy(load), { load })
