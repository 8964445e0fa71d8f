export const HandIcon = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path
      d="M6.5 11V5.2a1.2 1.2 0 0 1 2.4 0V9M8.9 9V3.7a1.2 1.2 0 0 1 2.4 0V9M11.3 9V4.7a1.2 1.2 0 0 1 2.4 0V10M13.7 8.2a1.2 1.2 0 0 1 2.4 0c0 5-1 8.8-5 8.8-3.2 0-4.3-2-6.6-5.6a1.2 1.2 0 0 1 2-1.3"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)
