/** A message to the person, as long as it stands. An alert interrupts; a status waits its turn. */
export interface Notice {
  readonly id: number
  readonly kind: 'alert' | 'status'
  readonly text: string
}

let standing: readonly Notice[] = []
let last = 0
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  standing = next
  for (const listener of listeners) listener()
}

function post(kind: Notice['kind'], text: string): void {
  // The same sentence again replaces the one that stands, so that a repeat is read out again and does not pile up.
  change([...standing.filter((notice) => notice.text !== text), { id: ++last, kind, text }].slice(-4))
}

export const notify = {
  /** Something went wrong, or needs the person: role alert, stands until closed. */
  alert: (text: string) => post('alert', text),
  /** Something was done: role status, goes by itself. */
  status: (text: string) => post('status', text),
}

export const notices = {
  read: () => standing,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** A dialog opened or closed: the messages move to what is on top now. */
  rehang: () => change([...standing]),
  close: (id: number) => change(standing.filter((notice) => notice.id !== id)),
}
