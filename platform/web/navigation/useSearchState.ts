import { useNavigate, useSearch } from '@tanstack/react-router'

type Parameters<Name extends string> = Partial<Record<Name, string | undefined>>

/** With `replaces`, Back skips the change and the page does not scroll. */
export function useSearchState<Name extends string>({ replaces = false } = {}) {
  const search = useSearch({ strict: false }) as Parameters<Name>
  const navigate = useNavigate()
  const write = (part: Parameters<Name>) =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, ...part }) as never,
      ...(replaces && { replace: true, resetScroll: false }),
    })
  return [search, write] as const
}
