const testimonials = [
  {
    words:
      'The first hour of a course used to go on laptops that would not start. Now forty machines are up before the tea is ready.',
    who: 'Meera Nambisan',
    what: 'Head of training, Neemtree Skills',
  },
  {
    words:
      'I see what a batch costs while it runs, not when the bill comes. Nobody leaves a machine on over the weekend.',
    who: 'Tobias Lindqvist',
    what: 'Operations, Halcyon Loop',
  },
] as const

export function Testimonials() {
  return (
    <div className="voices">
      {testimonials.map(({ words, who, what }) => (
        <figure key={who}>
          <blockquote>{words}</blockquote>
          <figcaption>
            <strong>{who}</strong> {what}
          </figcaption>
        </figure>
      ))}
    </div>
  )
}
