/**
 * Stands for an interactive hostapd_cli: see README.md. It is a program: `node hostapd-cli.ts INTERFACE PORT` connects to the
 * world of a suite, and serves one interface on its standard input and output.
 */
import { connect } from 'node:net'

const [, , name = '', port = ''] = process.argv
const world = connect(Number(port), '127.0.0.1')
world.setEncoding('utf8')
world.write(`${name}\n`)

process.stdout.write(
  "hostapd_cli v2.10\nCopyright (c) 2004-2022, Jouni Malinen and contributors\n\nSelected interface 'x'\n\nInteractive mode\n\n> ",
)
process.stdin.setEncoding('utf8').on('data', (chunk: string) => world.write(chunk))
process.stdin.once('end', () => process.exit())

// Events wait for the next reply, as without a terminal.
let events = ''
let text = ''
world.on('data', (chunk: string) => {
  text += chunk
  for (let end = text.indexOf('\0'); end >= 0; end = text.indexOf('\0')) {
    const message = text.slice(0, end)
    text = text.slice(end + 1)
    if (message.startsWith('<')) events += `${message}\n\r> `
    else {
      process.stdout.write(`${message}> ${events}`)
      events = ''
    }
  }
})
world.once('close', () => process.exit(1))
world.once('error', () => process.exit(1))
