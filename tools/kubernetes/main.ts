/**
 * Tools for deploy/kubernetes:
 *
 *   npm run kubernetes -- install     downloads helm, kubectl and the schemas that the checks need
 *   npm run kubernetes -- generate    writes the Kustomize base from the chart, and copies from deploy/rabbitmq and deploy/prometheus
 */
import { generate } from './generate.ts'
import { install } from './install.ts'

const [, , task] = process.argv
if (task === 'install') await install()
else if (task === 'generate') generate()
else {
  console.error('Usage: npm run kubernetes -- install | generate')
  process.exitCode = 2
}
