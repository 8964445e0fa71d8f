import { useNavigate, useSearch } from '@tanstack/react-router'
import { isMonth } from './month.ts'

export type Shown = 'table' | 'calendar'

/** The form in which schedules are shown and the calendar's month; both live in the address. */
export function useShown() {
  const { show, month }: Record<string, string | undefined> = useSearch({ strict: false })
  const navigate = useNavigate()
  const write = (part: Record<string, string | undefined>) =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, ...part }) as never,
      replace: true,
      resetScroll: false,
    })
  return {
    shown: show === 'calendar' ? ('calendar' as const) : ('table' as const),
    /** null: the present month. */
    month: isMonth(month) ? month : null,
    choose: (form: Shown) => write(form === 'calendar' ? { show: 'calendar' } : { show: undefined, month: undefined }),
    turnTo: (to: string | null) => write({ month: to ?? undefined }),
  }
}
