import { hrefOf } from '../router.js';
import { Screen } from '../ui/screen.js';

export function NotFound() {
  return (
    <Screen title="Nothing is here">
      <p>
        The console has no screen at this address. Check the link, or begin at <a href={hrefOf('/')}>the start</a>.
      </p>
    </Screen>
  );
}
