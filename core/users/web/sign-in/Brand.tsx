import { Mark } from '@trainyard/platform/web/shell/Logo.tsx'

export function Brand() {
  return (
    <p className="brand">
      <Mark size={36} />
      <span>Trainyard</span>
    </p>
  )
}
