const NAMED = 3

/** Lists the resources of a sandbox that have no price and therefore use no credits. */
export function NotPriced({ what }: { what: readonly string[] }) {
  if (what.length === 0) return null
  const remaining = what.length - NAMED
  const listed = what.slice(0, NAMED).join(', ')
  return (
    <p className="dim">
      Not priced, and not charged: {what.length === 1 ? '' : `${what.length} resources, `}
      {listed}
      {remaining > 0 && ` and ${remaining} more`}.
    </p>
  )
}
