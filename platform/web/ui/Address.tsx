import { Fragment } from 'react'

/** Text that may be an e-mail address, which wraps before the @ and the dots. A name wraps at its spaces. */
export const Address = ({ children }: { children: string }) => (
  <span className="address">
    {children.split(children.includes('@') ? /(?=[@.])/ : '\n').map((part, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- equal parts differ only in their place
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
)
