"""The command line `concierge`."""


def main() -> None:
    """Run the command that was typed; Ctrl-C during imports exits without a traceback."""
    try:
        from app.cli.main import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
