import { useRouter } from '@tanstack/react-router'
import { useEffect, type RefObject } from 'react'

/** Keeps the link to the shown screen in view in a list that scrolls; without one, the list shows its start. */
export function useActiveLinkInView(list: RefObject<HTMLElement | null>, shown: unknown): void {
  const router = useRouter()
  useEffect(() => {
    const show = () => {
      const link = list.current?.querySelector('[aria-current]')
      if (link) link.scrollIntoView({ block: 'nearest' })
      else list.current?.scrollTo({ top: 0, left: 0 })
    }
    show()
    // Again after the router, which puts every list back to where it was scrolled.
    return router.subscribe('onRendered', show)
  }, [router, list, shown])
}
