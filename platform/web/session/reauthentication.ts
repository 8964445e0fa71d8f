/** A call that the server refused until the user confirms their identity (`confirmFirst`). */
interface Pending {
  /** Resolved with true once the user has confirmed, with false if they closed the dialog. */
  readonly answer: Promise<boolean>
  readonly settle: (confirmed: boolean) => void
}

let pending: Pending | null = null
const listeners = new Set<() => void>()

function change(next: Pending | null): void {
  pending = next
  for (const listener of listeners) listener()
}

export const reauthentication = {
  read: (): Pending | null => pending,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      // Without a dialog, no user can confirm.
      if (listeners.size === 0) pending?.settle(false)
    }
  },
  /**
   * Opens the dialog in which the user confirms their identity, one for all calls that wait for it. Returns false if the
   * user did not confirm, or null if the page has no such dialog.
   */
  request(): Promise<boolean> | null {
    if (pending !== null) return pending.answer
    if (listeners.size === 0) return null
    let resolve: (confirmed: boolean) => void
    const answer = new Promise<boolean>((settle) => (resolve = settle))
    change({
      answer,
      settle(confirmed) {
        change(null)
        resolve(confirmed)
      },
    })
    return answer
  },
}
