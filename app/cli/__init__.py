"""Runs the command line `concierge`."""


def main() -> None:
    """Run the command that was typed; Ctrl-C while its parts are loaded ends it quietly."""
    try:
        from app.cli.main import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
