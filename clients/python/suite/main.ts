/**
 * The Python client: its checks, and its tests against a controller with engines of its own.
 *
 *     npm run python                      all of it; the last line is `N passed, N failed`; with MANC_QUICK=1 without slow tests
 *     npm run python -- pytest -k session some tests
 *     npm run python -- models            writes src/manc/models.py again
 *     npm run python -- notebook          executes examples/python/rush_hour.ipynb and writes its figure into docs
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Deployment } from './deployment.ts'
import { mustRun, run } from './run.ts'
import { folder, interpreter, pythonWith } from './venv.ts'

const root = path.join(folder, '../..')
const [command = 'all', ...rest] = process.argv.slice(2)
const library = { PYTHONPATH: path.join(folder, 'src') }

interface Counts {
  passed: number
  failed: number
}

switch (command) {
  case 'all': {
    const counts = [await checks(), await pytest([])]
    const sum = (name: keyof Counts) => counts.reduce((total, each) => total + each[name], 0)
    console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
    process.exitCode = sum('failed') > 0 ? 1 : 0
    break
  }
  case 'pytest': {
    const { passed, failed } = await pytest(rest)
    console.log(`${passed} passed, ${failed} failed`)
    process.exitCode = failed > 0 ? 1 : 0
    break
  }
  case 'models': {
    const python = await pythonWith('requirements.txt')
    await mustRun(python, ['tools/generate_models.py', ...rest], { cwd: folder })
    break
  }
  case 'notebook':
    process.exitCode = await notebook()
    break
  default:
    console.error(`${command} is not a command. Use one of: all, pytest, models, notebook.`)
    process.exitCode = 2
}

/** Each counts as one test. */
async function checks(): Promise<Counts> {
  const python = await pythonWith('requirements.txt')
  // The examples are outside of this folder, so they would be checked with default settings.
  const configured = ['--no-cache', '--config', 'pyproject.toml', '.', '../../examples/python']
  const named: [string, () => Promise<number>][] = [
    [
      'the models are those of the OpenAPI document',
      () => statusOf(python, 'tools/generate_models.py', '--check'),
    ],
    ['ruff check', () => statusOf(python, '-m', 'ruff', 'check', ...configured)],
    ['ruff format', () => statusOf(python, '-m', 'ruff', 'format', '--check', ...configured)],
    ['mypy --strict', () => statusOf(python, '-m', 'mypy')],
    ['the wheel in an empty virtual environment', () => wheel(python)],
  ]
  const counts = { passed: 0, failed: 0 }
  for (const [name, check] of named) {
    const isPassed = (await check()) === 0
    counts[isPassed ? 'passed' : 'failed'] += 1
    console.log(`${isPassed ? 'ok' : 'FAILED'}: ${name}`)
  }
  return counts
}

async function statusOf(python: string, ...parameters: string[]): Promise<number> {
  return (await run(python, parameters, { cwd: folder, env: library })).status
}

/** Builds the wheel, installs it with its dependencies where nothing else is, and imports it. */
async function wheel(python: string): Promise<number> {
  const temporary = mkdtempSync(path.join(tmpdir(), 'manc-wheel-'))
  const options = { cwd: temporary }
  try {
    const build = ['--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', temporary]
    await mustRun(python, ['-m', 'pip', '--disable-pip-version-check', 'wheel', ...build, folder], options)
    const file = readdirSync(temporary).find((name) => name.endsWith('.whl')) ?? ''
    const empty = path.join(temporary, 'venv')
    await mustRun(interpreter, ['-m', 'venv', empty], options)
    const installed = path.join(empty, 'bin/python')
    const install = [
      '-m',
      'pip',
      '--disable-pip-version-check',
      'install',
      '--quiet',
      path.join(temporary, file),
    ]
    await mustRun(installed, install, options)
    const program =
      'import importlib.metadata, importlib.resources, manc; ' +
      'assert importlib.metadata.version("manc-client") == manc.__version__; ' +
      'assert importlib.resources.files("manc").joinpath("py.typed").is_file(); ' +
      'manc.Manc("http://127.0.0.1:1"); print("manc", manc.__version__)'
    await mustRun(installed, ['-c', program], options)
    return 0
  } catch (error) {
    console.error((error as Error).message)
    return 1
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function pytest(parameters: string[]): Promise<Counts> {
  const python = await pythonWith('requirements.txt')
  const deployment = await Deployment.open({
    withAdmin: false,
    // Tokens that expire, and commands that end, while a test waits; but not within a pause of a busy machine.
    variables: {
      MANC_USER_TOKEN_SECONDS: '20',
      MANC_COMMAND_SECONDS: '8',
      // An example receives webhooks on this machine.
      MANC_WEBHOOK_PRIVATE: 'true',
    },
  })
  try {
    const quick = process.env['MANC_QUICK'] === '1' ? ['-m', 'not slow'] : []
    const all = ['-m', 'pytest', '-p', 'no:cacheprovider', ...quick, ...parameters]
    const { status, output } = await run(python, all, {
      cwd: folder,
      env: { ...library, ...deployment.programVariables },
    })
    return countsIn(output, status)
  } finally {
    await deployment.close()
  }
}

/**
 * From the summary of pytest: `=== 2 failed, 70 passed, 1 error in 61.20s (0:01:01) ===`. Lines of the interpreter may follow. An
 * exit status that no count explains is a failure too, and so is a run without a summary: pytest was killed.
 */
function countsIn(output: string, status: number): Counts {
  const summary = output.split('\n').findLast((line) => /\b(\d+ \w+|no tests ran) in [\d.]+s\b/.test(line))
  const count = (words: string) => Number(new RegExp(`(\\d+) ${words}\\b`).exec(summary ?? '')?.[1] ?? 0)
  const failed = count('failed') + count('errors?')
  const isExplained = status === 0 && summary !== undefined
  return { passed: count('passed'), failed: isExplained ? failed : Math.max(1, failed) }
}

async function notebook(): Promise<number> {
  const python = await pythonWith('requirements-notebook.txt')
  const deployment = await Deployment.open({ withAdmin: true })
  try {
    const { status } = await run(python, ['tools/execute_notebook.py', ...rest], {
      cwd: folder,
      env: {
        ...library,
        ...deployment.programVariables,
        MANC_FIGURE: path.join(root, 'docs/figures/rush-hour.svg'),
      },
    })
    return status
  } finally {
    await deployment.close()
  }
}
