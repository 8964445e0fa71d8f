import { PORT_PRIORITY_FIRST, PORT_PRIORITY_MAX } from '@trainyard/platform/contract/words/limits.ts'

const SERVICES: Readonly<Record<number, string>> = {
  21: 'FTP',
  22: 'SSH',
  25: 'SMTP',
  53: 'DNS',
  80: 'HTTP',
  443: 'HTTPS',
  1433: 'SQL Server',
  1521: 'Oracle Database',
  3000: 'Node.js, Grafana',
  3306: 'MySQL, MariaDB',
  3389: 'Remote Desktop',
  5000: 'Flask',
  5432: 'PostgreSQL',
  5672: 'RabbitMQ',
  5900: 'VNC',
  5985: 'WinRM',
  6379: 'Redis',
  6443: 'Kubernetes API',
  8080: 'HTTP, Jenkins, Tomcat',
  8443: 'HTTPS',
  8888: 'Jupyter',
  9090: 'Prometheus',
  9200: 'Elasticsearch',
  27017: 'MongoDB',
}

export const serviceAt = (port: number): string | null => SERVICES[port] ?? null

/** Returns the priority of a new port: number of open ports plus 1001, up to the provider's maximum. */
export const priorityOf = (open: number): number => Math.min(PORT_PRIORITY_FIRST + open, PORT_PRIORITY_MAX)
