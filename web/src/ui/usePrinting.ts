import { useSyncExternalStore } from 'react'

const print = matchMedia('print')

function subscribe(changed: () => void) {
  print.addEventListener('change', changed)
  return () => print.removeEventListener('change', changed)
}

/** Whether the page is being put on paper: then all of a list is wanted, not only what is in sight. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => print.matches)
