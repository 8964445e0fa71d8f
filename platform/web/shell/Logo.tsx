export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="4" fill="#123f7a" />
      <path d="M4 24H28M8 24 18 8H28M13 16H28" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinejoin="round" />
      <circle cx="8" cy="24" r="2.6" fill="#f0b75a" />
    </svg>
  )
}
