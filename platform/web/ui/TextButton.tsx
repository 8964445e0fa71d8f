import type { ReactNode } from 'react'

interface TextButtonProps {
  /** Name for screen readers, if the text alone does not say what the button acts on. */
  label?: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

export const TextButton = ({ label, disabled, onClick, children }: TextButtonProps) => (
  <button type="button" className="text-button" aria-label={label} disabled={disabled} onClick={onClick}>
    {children}
  </button>
)
