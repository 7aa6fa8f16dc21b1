import { RootCommand } from '@bomb.sh/tab'
import { Argument, type Command } from 'commander'
import { examples } from '../examples.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** The script calls this function of the package bash-completion, which is not installed everywhere. */
const withoutBashCompletion = `
if ! declare -F _get_comp_words_by_ref > /dev/null; then
  _get_comp_words_by_ref() {
    cur=\${COMP_WORDS[COMP_CWORD]}
    prev=\${COMP_WORDS[COMP_CWORD - 1]}
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
  }
fi
`

export function fill(command: Command): void {
  command
    .addArgument(new Argument('<shell>', 'shell').choices(shells))
    .action((shell: (typeof shells)[number]) => {
      if (shell === 'bash') process.stdout.write(withoutBashCompletion)
      new RootCommand().setup('manc', 'manc', shell)
    })
  examples(
    command,
    'source <(manc completion bash)',
    'manc completion zsh > "${fpath[1]}/_manc"',
    'manc completion fish > ~/.config/fish/completions/manc.fish',
  )
}
