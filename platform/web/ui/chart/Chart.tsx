import 'uplot/dist/uPlot.min.css'
import { useEffect, useId, useRef } from 'react'
import './readable-language.ts'
import uPlot from 'uplot'
import { useScheme } from '../../theme/scheme.ts'
import styles from './Chart.module.css'
import { type ChartProps, optionsOf } from './options.ts'

const HEIGHT = 200

export function Chart({ title, xLabel, points, format, kind = 'bars' }: ChartProps) {
  const container = useRef<HTMLDivElement>(null)
  const titleId = useId()
  const [scheme] = useScheme()
  useEffect(() => {
    const element = container.current!
    const width = () => Math.max(element.clientWidth, 160)
    const options = optionsOf(element, { title, xLabel, points, format, kind, width: width(), height: HEIGHT })
    const plot = new uPlot(options, [points.map((_, index) => index), points.map(({ value }) => value)], element)
    const resize = new ResizeObserver(() => plot.setSize({ width: width(), height: HEIGHT }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
    // `scheme` is a dependency because optionsOf() reads the computed colours, which differ between schemes.
  }, [title, xLabel, points, format, kind, scheme])
  return (
    <figure className={`panel ${styles.chart}`} aria-labelledby={titleId}>
      <figcaption id={titleId} className={styles.title}>
        {title}
      </figcaption>
      <div ref={container} className={styles.canvas} aria-hidden="true" />
      <details className={styles.figures}>
        <summary>Figures as a table</summary>
        <div className={styles.scroll}>
          <table>
            <thead>
              <tr>
                <th scope="col">{xLabel}</th>
                <th scope="col" className="number">
                  {title}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ at, value }, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- two entries of one day have equal labels
                <tr key={index}>
                  <th scope="row">{at}</th>
                  <td className="number">{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}
