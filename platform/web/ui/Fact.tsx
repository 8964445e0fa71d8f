import type { ReactNode } from 'react'

interface FactProps {
  term: ReactNode
  children: ReactNode
}

/** A term and its value, in a `dl`. */
export const Fact = ({ term, children }: FactProps) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)

/** A term and its value in large type, in a `dl`. */
export const Figure = ({ term, children }: FactProps) => (
  <div>
    <dt className="over">{term}</dt>
    <dd className="figure">{children}</dd>
  </div>
)
