import { useEffect, useState } from 'react'

/** Returns the present, renewed every second while something is under way. */
export function useSeconds(underWay: boolean): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (!underWay) return undefined
    setNow(new Date())
    const timer = setInterval(() => setNow(new Date()), 1_000)
    return () => clearInterval(timer)
  }, [underWay])
  return now
}
