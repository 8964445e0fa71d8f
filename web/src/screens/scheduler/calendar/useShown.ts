import { useNavigate, useSearch } from '@tanstack/react-router'
import { isMonth } from './month.ts'

export type ScheduleView = 'table' | 'calendar'

/** Returns the view of the schedules and the calendar's month; both are stored in the URL. */
export function useScheduleView() {
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
    /** null for the current month. */
    month: isMonth(month) ? month : null,
    choose: (form: ScheduleView) =>
      write(form === 'calendar' ? { show: 'calendar' } : { show: undefined, month: undefined }),
    turnTo: (to: string | null) => write({ month: to ?? undefined }),
  }
}
